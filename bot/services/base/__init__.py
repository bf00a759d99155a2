"""The ground: who asks, one transaction and one gate, what is found by its name, what is promised to be posted."""
