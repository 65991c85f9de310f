"""Games as they were: frames of the past, records to carry away, sentences for people."""
