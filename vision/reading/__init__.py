"""From a look to an answer for every route and station, with its odds and its doubts."""
