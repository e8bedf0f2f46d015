"""Where frames come from: cameras, streams, videos, photos, phones and the virtual board."""
