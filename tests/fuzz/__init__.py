"""Fuzzing: whatever is sent, the answer is a clear one. A minute in the tests, `make fuzz` for as long as one likes."""
