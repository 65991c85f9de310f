// The game of this page: the club says which seat is this member's, the element does the rest.

const board = document.getElementById("board");
const { title } = document;

/** Take the seat, if this member has one; its token may have been replaced since. */
async function sit() {
  const answer = await fetch(board.dataset.seat);
  const { token } = await answer.json();
  board.token = token;
  board.setAttribute("game", board.dataset.game);
}

board.addEventListener("turn", () => (document.title = `● ${title}`));
board.addEventListener("played", () => (document.title = title));
board.addEventListener("over", () => (document.getElementById("rematch").hidden = board.token === null));
board.addEventListener("refused", ({ detail }) => detail.status === 401 && sit());
await sit();
