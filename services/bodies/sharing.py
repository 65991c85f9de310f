"""How other pages show a game."""

from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from services.bodies.parts import about, choices


class OEmbedBody(Struct, kw_only=True):
    """What oEmbed 1.0 says of a game."""

    version: Annotated[str, choices(("1.0",)), about("Of oEmbed.")] = "1.0"
    type: Annotated[str, choices(("rich",)), about("HTML to put into a page.")] = "rich"
    title: Annotated[str, about("The game and its players.")]
    provider_name: Annotated[str, about("Stele.")]
    provider_url: Annotated[str, about("Where this server is.")]
    cache_age: Annotated[int, about("Seconds for which it may be kept.")]
    html: Annotated[str, about("An `iframe` that shows the game; it cannot be played there.")]
    width: Annotated[int, about("Pixels that the frame is wide.")]
    height: Annotated[int, about("Pixels that the frame is high.")]
    thumbnail_url: Annotated[str | UnsetType, about("The board as a PNG; absent before the start.")] = UNSET
    thumbnail_width: Annotated[int | UnsetType, about("Pixels.")] = UNSET
    thumbnail_height: Annotated[int | UnsetType, about("Pixels.")] = UNSET
