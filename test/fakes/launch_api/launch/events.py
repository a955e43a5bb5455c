class Shutdown:
    def __init__(self, *, reason="reason not given", due_to_sigint=False, **kwargs):
        self.reason = reason
