// <stele-board> in React, which sets properties of custom elements and listens to their events.

import "@stele/board";
import type { OverDetail, PlayedDetail, RefusedDetail, SteleBoardAttributes } from "@stele/board";
import { type HTMLAttributes, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

interface SteleBoardProps extends Omit<HTMLAttributes<HTMLElement>, "lang">, SteleBoardAttributes {
  token?: string | null;
  onturn?: () => void;
  onplayed?: (event: CustomEvent<PlayedDetail>) => void;
  onrefused?: (event: CustomEvent<RefusedDetail>) => void;
  onover?: (event: CustomEvent<OverDetail>) => void;
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "stele-board": SteleBoardProps;
    }
  }
}

interface Seat {
  game: string;
  token: string;
}

const asked = new URLSearchParams(location.hash.slice(1));
const server = asked.get("server") ?? "http://127.0.0.1:8000";

async function newGame(): Promise<Seat> {
  const answer = await fetch(`${server}/v1/games`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ruleset: asked.get("ruleset") ?? "babel", players: [{ name: "You" }, { bot: "random" }] }),
  });
  const game = await answer.json();
  if (!answer.ok) throw new Error(game.detail);
  return { game: game.id, token: game.seats[0].token };
}

function App() {
  const [seat, setSeat] = useState<Seat | null>(JSON.parse(sessionStorage.getItem("seat") ?? "null"));
  const [news, setNews] = useState("One moment …");
  const [lang, setLang] = useState<"en" | "fr">("en");

  useEffect(() => {
    if (seat) sessionStorage.setItem("seat", JSON.stringify(seat));
    else newGame().then(setSeat, (problem: Error) => setNews(problem.message));
  }, [seat]);

  return (
    <>
      <h1>A game in a page of yours</h1>
      <p id="news" role="status">
        {news}
      </p>
      <button onClick={() => setLang(lang === "en" ? "fr" : "en")}>{lang === "en" ? "Français" : "English"}</button>
      {seat && (
        <stele-board
          server={server}
          game={seat.game}
          token={seat.token}
          lang={lang}
          onturn={() => setNews("Your turn.")}
          onplayed={({ detail }) => setNews(detail.own ? "Played." : "The other side has played.")}
          onrefused={({ detail }) => setNews(`Refused: ${detail.message}`)}
          onover={({ detail }) => setNews(`Over: ${detail.status}.`)}
        />
      )}
    </>
  );
}

createRoot(document.getElementById("app")!).render(<App />);
