"""The environments of other libraries, held against those libraries' own tests."""

import sys

import numpy as np
import pytest

import tengen

SPECS = ["gomoku,size=7", "go,size=5,komi=0.5", "dvonn", "zertz", "gipf:basic"]
every_spec = pytest.mark.parametrize("spec", SPECS)


@pytest.mark.filterwarnings("ignore")
@every_spec
def test_pettingzoo_accepts_the_environment(spec):
    tests = pytest.importorskip("pettingzoo.test")
    tests.api_test(tengen.pettingzoo(spec, max_steps=120), num_cycles=60)


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_finds_games_that_depend_on_seeds_alone():
    tests = pytest.importorskip("pettingzoo.test")
    tests.seed_test(lambda: tengen.pettingzoo("gomoku,size=7"), num_cycles=30)


def test_pettingzoo_agents_take_turns_until_one_has_won():
    pytest.importorskip("pettingzoo")
    env = tengen.pettingzoo("gomoku,size=7", render_mode="ansi")
    env.reset()
    moves = iter([0, 7, 1, 8, 2, 9, 3, 10, 4])
    movers, rewards = [], {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert env.observation_space(agent).contains(observation)
        if terminated or truncated:
            rewards[agent] = reward
            env.step(None)
        else:
            movers.append(agent)
            env.step(next(moves))
    assert movers == ["black", "white"] * 4 + ["black"]
    assert rewards == {"black": 1.0, "white": -1.0}
    assert "X X X X X" in env.render()
    env.reset()
    with pytest.raises(tengen.IllegalTurnError):
        env.step(10**6)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("spec", ["gomoku,size=7", "zertz"])
@pytest.mark.parametrize("side", [0, 1])
def test_gymnasium_accepts_the_environment(spec, side):
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    env = tengen.gymnasium(spec, level=1, side=side, limit=tengen.Limit(nodes=50))
    checker.check_env(env, skip_render_check=True)
    env.close()


def test_gymnasium_plays_a_game_to_its_end_and_an_illegal_action_loses():
    pytest.importorskip("gymnasium")
    env = tengen.gymnasium("gomoku,size=7", side="white", limit=tengen.Limit(nodes=50))
    observation, info = env.reset(seed=1)
    assert len(info["turns"]) == 1
    assert observation.shape == env.observation_space.shape
    generator, done, steps = np.random.default_rng(1), False, 0
    while not done:
        action = int(generator.choice(np.flatnonzero(env.action_masks())))
        _, reward, done, truncated, info = env.step(action)
        steps += 1
        assert not truncated
    assert reward in (-1.0, 0.0, 1.0)
    assert steps > 3
    env.reset(seed=1)
    taken = int(np.flatnonzero(~env.action_masks())[0])
    assert env.step(taken)[1:3] == (-1.0, True)
    env.close()


@every_spec
def test_openspiel_accepts_the_game(spec):
    pyspiel = pytest.importorskip("pyspiel")
    game = tengen.openspiel(spec)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_openspiel_makes_a_playthrough():
    pytest.importorskip("pyspiel")
    playthrough = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")
    text = playthrough.playthrough("tengen_gomoku(spec=gomoku:size/5)", None, seed=1)
    assert "IsTerminal() = True" in text
    assert "ObservationTensor" in text


def test_openspiels_mcts_plays_our_games_and_sees_a_win():
    pytest.importorskip("pyspiel")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    game = tengen.openspiel("gomoku,size=5")
    state = game.new_initial_state()
    for action in (0, 5, 1, 6, 2, 7, 3, 8):
        state.apply_action(action)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.5, 60, evaluator, random_state=np.random.RandomState(1), solve=True)
    state.apply_action(bot.step(state))
    assert state.returns() == [1.0, -1.0]


@pytest.mark.parametrize("library", ["pettingzoo", "gymnasium", "openspiel"])
def test_a_library_that_is_missing_is_named_with_its_extra(library, monkeypatch):
    module = {"openspiel": "pyspiel"}.get(library, library)
    needed = {"openspiel": "open_spiel"}.get(library, library)
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, f"tengen.environments.{library}", raising=False)
    make = getattr(tengen, library)
    with pytest.raises(tengen.OptionError, match=rf"pip install .*{needed}>=") as caught:
        make("gomoku")
    assert isinstance(caught.value, ImportError)


def test_observations_are_bounded_tightly():
    pytest.importorskip("gymnasium")
    for spec, low, high in (("dvonn", 0, 4.9), ("zertz", 0, 1), ("go,size=5", -100, 100)):
        space = tengen.gymnasium(spec).observation_space
        assert space.low.min() == np.float32(low)
        assert space.high.max() == np.float32(high)
        assert (space.low[0] == 0).all()
        assert (space.high[2] == 1).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"games": 4, "level": 3}, "games: has no opponent"),
        ({"render_mode": "human"}, "render_mode: expected None or ansi, got 'human'"),
    ],
)
def test_options_that_gymnasium_does_not_have_are_refused(arguments, words):
    pytest.importorskip("gymnasium")
    with pytest.raises(tengen.OptionError, match=words):
        tengen.gymnasium("dvonn", **arguments)


def test_games_with_challenges_are_refused():
    for library in ("pettingzoo", "gymnasium", "openspiel"):
        pytest.importorskip({"openspiel": "pyspiel"}.get(library, library))
        with pytest.raises(tengen.OptionError, match="without challenges"):
            getattr(tengen, library)("gipf:tournament,zertz=1,challenges=1")


def test_a_vector_environment_plays_the_games_of_a_batch_and_begins_them_anew():
    gymnasium = pytest.importorskip("gymnasium")
    env = tengen.gymnasium("gomoku,size=7", games=16)
    observations, info = env.reset()
    assert env.observation_space.contains(observations)
    assert env.step(np.arange(16))[-1]["action_mask"].sum() == 16 * 48, "the first step is played"
    _, info = env.reset()
    ended, rewards_seen = 0, set()
    random = np.random.default_rng(1)
    for _ in range(200):
        over = env.batch.outcomes != 0
        actions = [random.choice(np.flatnonzero(mask)) for mask in info["action_mask"]]
        movers = info["side_to_move"]
        observations, rewards, terminated, truncated, info = env.step(np.array(actions))
        assert env.observation_space.contains(observations)
        assert not truncated.any()
        assert not rewards[over].any()
        assert info["action_mask"][over | terminated].all(), "new games, and those that any action begins"
        for winner, reward in zip(movers[rewards > 0], rewards[rewards > 0], strict=True):
            rewards_seen.add((int(winner), float(reward)))
        ended += int(terminated.sum())
    assert ended > 8
    assert rewards_seen == {(0, 1.0), (1, 1.0)}, "it is always the last mover who wins"
    with pytest.raises(tengen.IllegalTurnError):
        env.step(np.full(16, 10**6))
    with pytest.raises(tengen.ArgumentError, match="actions: expected 16 whole numbers"):
        env.step(np.array([1, 2]))
    made = gymnasium.make_vec("tengen/gomoku-v0", num_envs=3, max_steps=5)
    made.reset()
    for _ in range(5):
        *_, truncated, _ = made.step(made.unwrapped.batch.sample())
    assert truncated.all()
    made = gymnasium.make("tengen.environments.gymnasium:tengen/dvonn-v0", level=2)
    assert made.unwrapped.position.spec.game.name == "dvonn"


def test_actions_have_names():
    pytest.importorskip("pettingzoo")
    env = tengen.pettingzoo("zertz")
    env.reset()
    assert env.action_name(0) == "white marble"
    go = tengen.pettingzoo("go,size=5")
    go.reset()
    assert go.action_name(12) == "C3"
    pytest.importorskip("pyspiel")
    assert (
        tengen.openspiel("gipf:basic").new_initial_state().action_to_string(0, 0)
        == "basic piece from a1 to b2"
    )
