"""Words everybody shares: frozen types, spans, scopes, ports and errors. Imports nothing of ours."""
