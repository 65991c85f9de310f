// A game against a bot: the page asks the server for one, keeps the seat's token, and hands it to the element.

const asked = new URLSearchParams(location.hash.slice(1));
const server = asked.get("server") ?? "http://127.0.0.1:8000";
const news = document.getElementById("news");

async function newGame() {
  const answer = await fetch(`${server}/v1/games`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ruleset: asked.get("ruleset") ?? "babel", players: [{ name: "You" }, { bot: "random" }] }),
  });
  const game = await answer.json();
  if (!answer.ok) throw new Error(game.detail);
  return { game: game.id, token: game.seats[0].token };
}

// The element's script comes from the server of the game, so both are always of one version.
await import(`${server}/element/stele-board.js`);

const seat = JSON.parse(sessionStorage.getItem("seat")) ?? (await newGame());
sessionStorage.setItem("seat", JSON.stringify(seat)); // a reload goes on with the same game

const board = document.createElement("stele-board");
board.setAttribute("server", server);
board.setAttribute("game", seat.game);
board.token = seat.token; // a property: a token never stands in the document
board.addEventListener("turn", () => (news.textContent = "Your turn."));
board.addEventListener("played", ({ detail }) => (news.textContent = detail.own ? "Played." : "The other side has played."));
board.addEventListener("refused", ({ detail }) => (news.textContent = `Refused: ${detail.message}`));
board.addEventListener("over", ({ detail }) => (news.textContent = `Over: ${detail.status}.`));
document.querySelector("main").append(board);
