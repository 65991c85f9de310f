"""Plays, watches and runs games on a Stele server, with an event loop (`AsyncStele`) or without one (`Stele`)."""

from stele_client._async.game import AsyncBatchItem, AsyncGame, AsyncTable
from stele_client._async.server import AsyncStele
from stele_client._async.turns import AsyncTurn
from stele_client._sync.game import BatchItem, Game, Table
from stele_client._sync.server import Stele
from stele_client._sync.turns import Turn
from stele_client.errors import SteleError
from stele_client.models import (
    Acted,
    Action,
    Audit,
    Check,
    Clock,
    Event,
    FeedEvent,
    Frame,
    GameRow,
    GameState,
    Head,
    Hint,
    LegalActions,
    NewGame,
    Player,
    PlayerRating,
    Rematch,
    ReplayFrame,
    Result,
    Review,
    Seat,
    Standing,
    View,
    Webhook,
)
from stele_client.retrying import Retries
from stele_client.sealing import Seal
from stele_client.signing import SigningKey

__all__ = [
    "Acted",
    "Action",
    "AsyncBatchItem",
    "AsyncGame",
    "AsyncStele",
    "AsyncTable",
    "AsyncTurn",
    "Audit",
    "BatchItem",
    "Check",
    "Clock",
    "Event",
    "FeedEvent",
    "Frame",
    "Game",
    "GameRow",
    "GameState",
    "Head",
    "Hint",
    "LegalActions",
    "NewGame",
    "Player",
    "PlayerRating",
    "Rematch",
    "ReplayFrame",
    "Result",
    "Retries",
    "Review",
    "Seal",
    "Seat",
    "SigningKey",
    "Standing",
    "Stele",
    "SteleError",
    "Table",
    "Turn",
    "View",
    "Webhook",
]
