import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { Problem } from '../../resource/problem.ts'

/** Hashes passwords and passcodes, slowly, so that a copy of the database does not reveal them. */
export interface SecretHash {
  /** Returns the text that the store keeps. Throws busy when too many wait. */
  hash(secret: string): Promise<string>
  /**
   * Whether the secret is the one that was hashed. Without a stored text it takes the same time and returns false, so
   * that a stranger does not learn which accounts exist. Throws busy when too many wait.
   */
  matches(stored: string | null | undefined, secret: string): Promise<boolean>
  /** Returns the number of secrets that are hashed or wait for it. */
  pending(): number
}

/** argon2id with 19 MiB, two passes and one lane, the recommendation of OWASP: some 66 ms of one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
/** More at once would take 19 MiB each. */
const mostAtOnce = 2
const mostWaiting = 16
const form = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/

type Cost = Record<keyof typeof cost, number>

/** `pepper` is a key that is not in the database: without it nobody can try codes on a stolen database. */
export function secretHash(pepper: Buffer): SecretHash {
  const { turn, pending } = turns()

  function derive(secret: string, nonce: Buffer, parameters: Cost): Promise<Buffer> {
    const message = secret.normalize('NFC')
    return turn(
      () =>
        new Promise<Buffer>((resolve, reject) =>
          argon2('argon2id', { ...parameters, message, nonce, secret: pepper }, (error, tag) =>
            error ? reject(error) : resolve(tag),
          ),
        ),
    )
  }

  return {
    pending,
    async hash(secret) {
      const nonce = randomBytes(16)
      const tag = await derive(secret, nonce, cost)
      const { memory, passes, parallelism } = cost
      const parameters = `m=${memory},t=${passes},p=${parallelism}`
      return `$argon2id$v=19$${parameters}$${nonce.toString('base64url')}$${tag.toString('base64url')}`
    },
    async matches(stored, secret) {
      const [, memory, passes, parallelism, nonce, tag] = form.exec(stored ?? '') ?? []
      if (nonce === undefined || tag === undefined) {
        await derive(secret, Buffer.alloc(16), cost)
        return false
      }
      const expected = Buffer.from(tag, 'base64url')
      const parameters = {
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
        tagLength: expected.length,
      }
      return timingSafeEqual(await derive(secret, Buffer.from(nonce, 'base64url'), parameters), expected)
    },
  }
}

/** Runs work, two at once, in the order of the calls. */
function turns() {
  const waiting: (() => void)[] = []
  let running = 0

  async function turn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= mostAtOnce) {
      if (waiting.length >= mostWaiting)
        throw new Problem('busy', 'Too many sign-ins are waiting. Try again in a few seconds.', {
          meta: { retryAfterSeconds: 2 },
        })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      // The next one takes the place of this one.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return { turn, pending: () => running + waiting.length }
}
