"""The cache of what was used most recently."""

from services.core.lru import LruCache


def test_what_was_not_used_for_longest_makes_room() -> None:
    recent: LruCache[str, str] = LruCache(room=2)
    values = iter("abcd")
    assert [recent.of(key, lambda: next(values)) for key in "121312"] == ["a", "b", "a", "c", "a", "d"]


def test_a_value_is_replaced_unless_the_present_one_is_better() -> None:
    recent: LruCache[str, int] = LruCache(room=2)
    recent.keep("version", 3)
    recent.keep("version", 2, unless=lambda present: present > 2)
    assert recent.get("version") == 3
    recent.keep("version", 5, unless=lambda present: present > 5)
    assert recent.get("version") == 5


def test_what_is_forgotten_is_made_anew() -> None:
    recent: LruCache[str, str] = LruCache(room=2)
    recent.keep("key", "old")
    recent.forget("key")
    recent.forget("never known")
    assert recent.get("key") is None
    assert recent.of("key", lambda: "new") == "new"
