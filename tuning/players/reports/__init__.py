"""What other programs say of their searches: lines of text as `search.info.Info`.

The texts of turns are as the program wrote them; `EnginePlayer.search` checks them.
"""
