// What has happened, at the top of every page.

const SECONDS = 5;
const list = document.getElementById("news");

async function show() {
  const answer = await fetch("/news").catch(() => null);
  if (!answer?.ok) return;
  const { news } = await answer.json();
  const items = news.map(({ text, link }) => {
    const item = document.createElement("li");
    const anchor = document.createElement("a");
    anchor.href = link;
    anchor.textContent = text;
    item.append(anchor);
    return item;
  });
  if (list.textContent !== items.map((item) => item.textContent).join("")) list.replaceChildren(...items);
}

await show();
setInterval(show, SECONDS * 1000);
