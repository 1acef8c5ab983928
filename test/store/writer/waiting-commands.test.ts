import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plain } from '../../../src/composition/api.ts'
import { Problem } from '../../../src/resource/problem.ts'
import { WaitingCommands } from '../../../src/store/writer/waiting-commands.ts'

const how = { actor: { by: 'test', requestId: null } }

function waitingCommands() {
  const commands = new WaitingCommands(
    () => {},
    () => new Problem('storage-failing', 'It failed.'),
  )
  const add = () =>
    commands.add(plain.remove, { type: 'unit', id: 'none' } as never, 0, how).catch(({ message }) => message)
  return { commands, add }
}

describe('commands that wait for the writer', () => {
  it('are slow when the same one has waited since the last look', () => {
    const { commands, add } = waitingCommands()
    assert.equal(commands.isSlow(), false)
    void add()
    void add()
    assert.equal(commands.isSlow(), false)
    assert.equal(commands.isSlow(), true)
    commands.settle({ number: 1, output: null })
    assert.equal(commands.isSlow(), false)
    assert.equal(commands.isSlow(), true)
    commands.settle({ number: 2, output: null })
    assert.deepEqual([commands.isSlow(), commands.isSlow()], [false, false])
  })

  it('are idle when each is answered, also those that come meanwhile', async () => {
    const { commands, add } = waitingCommands()
    await commands.idle()
    void add()
    let isIdle = false
    const idle = commands.idle().then(() => {
      isIdle = true
    })
    commands.settle({ number: 1, output: null })
    void add()
    await new Promise(setImmediate)
    assert.equal(isIdle, false)
    commands.settle({ number: 2, output: null })
    await idle
  })

  it('are idle when the writer is lost', async () => {
    const { commands, add } = waitingCommands()
    const asked = add()
    const idle = commands.idle()
    commands.failAll(new Error('lost'))
    await idle
    assert.equal(await asked, 'lost')
  })
})
