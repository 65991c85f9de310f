"""What is read: current states, the lobby, results. All of it follows from the logs and can be rebuilt from them."""
