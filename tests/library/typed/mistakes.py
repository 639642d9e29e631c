"""What a type checker refuses."""

import sys

import tengen

position = tengen.Position("go,size=9")
tengen.Engine(levle=3)  # refused
tengen.Engine(method="magic")  # refused
tengen.Engine().configure(thread=2)  # refused
tengen.external([sys.executable], "gpt")  # refused
tengen.match("greedy", "random", game="go", limit=1.0, concurency=2)  # refused
position.push(tengen.Engine().play(position, 1.0).choice)  # refused
tengen.match(len, "random", game="go", limit=1.0)  # refused
position.push(None)  # refused
position.side.number = "white"  # refused
print(tengen.Score(5).side.numbre)  # refused
