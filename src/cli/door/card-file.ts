import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailed } from '../exit-codes.ts'

/** A simulated card, as a file in the simulated guest's folder. */
export interface Card {
  path: string
  uid: string
  image: unknown
}

/** Returns the newest card in the folder. Throws CommandFailed `missing` when there is none. */
export function newestCard(folder: string): Card {
  const [newest] = filesIn(folder)
    .map((path) => ({ path, at: statSync(path).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  if (newest) return cardIn(newest.path)
  throw new CommandFailed(
    'missing',
    `There is no card in ${folder}. Check in a guest first, or give --card FILE.`,
  )
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Reads a card file. Throws CommandFailed `missing` or `data`. The door validates the memory image. */
export function cardIn(path: string): Card {
  const image = parsed(path)
  const uid = typeof image === 'object' && image !== null && 'uid' in image ? image.uid : undefined
  if (typeof uid !== 'string') throw new CommandFailed('data', `${path} is not a card file: it has no uid.`)
  return { path, uid, image }
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CommandFailed('missing', `There is no card file ${path}.`)
    throw new CommandFailed('data', `${path} is not a card file: ${message}.`)
  }
}
