import { Command as Plain } from 'commander'
import { type Exit, exits } from './exit-codes.ts'

/** A command whose help lists its exit codes. */
export class Command extends Plain {
  /** Adds the exit codes to the help. A text replaces the usual description of a code. */
  exits(words: Partial<Record<Exit, string | true>>): this {
    const lines = (Object.entries(words) as [Exit, string | true][]).map(([exit, word]) => {
      const [code, text] = exits[exit]
      return `  ${String(code).padEnd(3)} ${word === true ? text : word}`
    })
    return this.addHelpText('after', `\nExit codes:\n${lines.join('\n')}`)
  }
}
