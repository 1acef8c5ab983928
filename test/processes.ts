import { readdirSync, readFileSync } from 'node:fs'

interface Process {
  pid: number
  parent: number
  /** In the kernel's letter: Z is one that has ended and that its parent has not taken notice of. */
  state: string
}

/** The processes of this machine. */
export function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid)) return []
    try {
      const said = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // Behind the name, which may hold anything.
      const [state = '', parent] = said.slice(said.lastIndexOf(')') + 2).split(' ')
      return [{ pid, parent: Number(parent), state }]
    } catch {
      return []
    }
  })
}

export function childrenOf(parent: number): number[] {
  return processes()
    .filter((each) => each.parent === parent)
    .map(({ pid }) => pid)
}

/** False once it has ended, also where an orphan's end is noticed by nobody. */
export function isRunning(pid: number): boolean {
  return processes().some((each) => each.pid === pid && each.state !== 'Z')
}
