import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readerOf } from './reader.ts'
import { stepsOf } from './steps.ts'

/** Reads a page that needs no appliance. */
async function read(...blocks: string[]): Promise<void> {
  const markdown = blocks.join('\n\n')
  const reader = await readerOf('page.md', markdown)
  try {
    for (const step of stepsOf(markdown)) await reader.follow(step)
  } finally {
    await reader.leave()
  }
}

const sh = (commands: string) => `\`\`\`sh\n${commands}\n\`\`\``
const text = (shown: string) => `\`\`\`text\n${shown}\n\`\`\``

describe('a reader', () => {
  it('keeps variables, files and ids from block to block', async () => {
    const id = '01a206c0-9fad-7038-93e4-2a41233f9617'
    await read(
      sh('NAME=Ada\nuuid() { cat /proc/sys/kernel/random/uuid; }'),
      'Save this as `greeting.txt`:',
      text('Good evening'),
      sh('echo "$(cat greeting.txt), $NAME"'),
      text('Good evening, Ada'),
      sh('uuid | tee own'),
      text(id),
      sh(`grep -c ${id} own`),
      text('1'),
    )
  })

  it('stops where a command fails, with its line', async () => {
    await assert.rejects(
      read(sh('true'), sh('echo before\nls nowhere')),
      /page\.md:5: this failed \(2\): ls nowhere/,
    )
    await assert.rejects(read(sh('A=$(false | cat)')), /page\.md:1: this failed/)
  })

  it('stops where something else is printed than the page shows', async () => {
    await assert.rejects(
      read(sh('echo two'), text('one')),
      /page\.md:5: other text was printed\. It printed:\ntwo/,
    )
    await assert.rejects(
      read(sh(`echo '{"a": 1}'`), '```json\n{ "a": 2 }\n```'),
      /page\.md:5: \/a is 1, not 2/,
    )
  })

  it('looks at what a program prints that is left running, until it is stopped', async () => {
    await read(
      'Start it and leave it running:',
      sh('echo ready; while sleep 0.1; do cat news 2> /dev/null; done'),
      text('ready'),
      sh('echo something new > news'),
      'The first terminal shows:',
      text('something new'),
      'Stop it with Ctrl-C.',
      sh('true'),
    )
  })

  it('stops where a file is not as the page quotes it', async () => {
    const quoted = (line: string) => `From \`src/main.ts\`:\n\n\`\`\`ts\n${line}\n\`\`\``
    await assert.rejects(
      read(quoted('nothing of the kind')),
      /page\.md:3: src\/main\.ts does not contain this/,
    )
  })
})
