"""The part of the client for Python that the code sample uses, for tests without its package."""

import json
from types import SimpleNamespace
from urllib.request import Request, urlopen


class OpenAI:
    """Sends requests as the package does."""

    def __init__(self, api_key, base_url):
        def create(**body):
            headers = {"Authorization": f"Bearer {api_key}", "Content-Type": "application/json"}
            request = Request(f"{base_url}/chat/completions", json.dumps(body).encode(), headers)
            with urlopen(request) as response:
                return json.load(response, object_hook=lambda fields: SimpleNamespace(**fields))

        self.chat = SimpleNamespace(completions=SimpleNamespace(create=create))
