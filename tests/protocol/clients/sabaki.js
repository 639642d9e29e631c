// Sabaki's own GTP module against `tengen gtp`: a live analysis that is stopped, then a game to its end.
// usage: node sabaki.js MODULE SIZE PROGRAM [ARGUMENT...]; prints a JSON object.
'use strict'

const [, , path, size, program, ...programArguments] = process.argv
const {Controller, ControllerStateTracker} = require(path)

const controller = new Controller(program, programArguments)
const tracker = new ControllerStateTracker(controller)
const MOST_TURNS = 3 * size * size

async function ask(name, ...args) {
  const {error, content} = await tracker.queueCommand({name, args})
  if (error) throw new Error(`${name}: ${content}`)
  return content
}

async function analyze() {
  const lines = []
  let stop
  const enough = new Promise(resolve => (stop = resolve))
  const ended = controller.sendCommand({name: 'lz-analyze', args: ['B', '5']}, ({line}) => {
    if (line.startsWith('info ') && lines.push(line) === 3) stop()
  })
  await enough
  const name = await controller.sendCommand({name: 'name', args: []}) // any command ends the analysis
  await ended
  return {lines, name: name.content}
}

async function play() {
  const turns = []
  let passes = 0
  while (passes < 2 && turns.length < MOST_TURNS) {
    const color = turns.length % 2 ? 'W' : 'B'
    const turn = await ask('genmove', color)
    if (turn === 'resign') return {turns, resigned: color}
    turns.push(turn)
    passes = turn === 'pass' ? passes + 1 : 0
  }
  return {turns, passes}
}

async function main() {
  controller.start()
  await tracker.sync({komi: 0.5, boardsize: [+size, +size], history: []})
  const commands = (await ask('list_commands')).split('\n')
  const analysis = await analyze()
  const game = await play()
  const score = await ask('final_score')
  const handicap = [{name: 'set_free_handicap', args: ['B2', 'D4']}, {name: 'play', args: ['W', 'C3']}]
  await tracker.sync({history: handicap})
  await tracker.sync({history: handicap.concat({name: 'play', args: ['B', 'A1']})})
  await tracker.sync({komi: 7.5, history: handicap})
  const position = await ask('tengen-position')
  const komi = await ask('get_komi')
  await controller.stop()
  console.log(JSON.stringify({commands, analysis, game, score, position, komi}))
}

main().catch(error => {
  console.error(error.message)
  process.exit(1)
})
