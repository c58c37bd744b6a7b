"""Signs in at a platform and prints the token: sign_in.py URL EMAIL PASSWORD"""

import json
import sys
import urllib.request

url, email, password = sys.argv[1:]
request = urllib.request.Request(
    f"{url}/api/v1/users/login",
    data=json.dumps({"email": email, "password": password}).encode(),
    headers={"content-type": "application/json"},
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer)["token"])
