import { randomInt } from 'node:crypto'
import { VaultRefused } from '../../../host/vault.ts'
import type { Workshop } from '../../handles/workshop.ts'
import type { AccessController } from '../../resources/access-controller.ts'

/** A PIN in its stored form. The store alone does not reveal it. */
export interface SealedPin {
  /** The encrypted PIN, which the vault decrypts. */
  sealed: string
  /** A keyed hash, equal for equal PINs. */
  mark: string
  /** The PIN with all but its last two digits masked. */
  shown: string
}

/** The context of PINs in the vault. */
const context = 'key-pin'
/** The digits that the keypads of every lock system accept. */
const anyDigit = '123456789'
const mostTries = 1_000

/** The rules of a controller for the PIN of a unit: 6 digits from 1 to 9 by default, never the number of the room. */
export function pinRules(controller: AccessController, unitName: string | null) {
  const { pinLength, pinAlphabet, pinAvoid } = controller
  const digits = (unitName ?? '').replace(/\D/g, '')
  return {
    length: pinLength ?? 6,
    /** The digits that may be used. */
    alphabet: pinAlphabet ?? anyDigit,
    /** Digits that no PIN may contain, for example years of birth and the room number. */
    avoid: [...(pinAvoid ?? []), ...(digits.length > 1 ? [digits] : [])],
  }
}

type PinRules = ReturnType<typeof pinRules>

/** Returns `count` random PINs within the rules that are not easily guessed; fewer when 1000 tries find too few. */
export function makePins(count: number, rules: PinRules): string[] {
  const found = new Set<string>()
  for (let tries = 0; tries < mostTries && found.size < count; tries++) {
    const pin = Array.from({ length: rules.length }, () => rules.alphabet[randomInt(rules.alphabet.length)])
    if (!isEasy(pin.join(''), rules)) found.add(pin.join(''))
  }
  return [...found]
}

/**
 * Whether a PIN is easily guessed: it begins with 12, has fewer than 3 different digits, contains an avoided part, or
 * has three digits in a row that are equal or count up or down by one. Lock systems refuse such PINs.
 */
export function isEasy(pin: string, { avoid }: Pick<PinRules, 'avoid'>): boolean {
  if (pin.startsWith('12')) return true
  if (new Set(pin).size < 3) return true
  if (avoid.some((part) => part !== '' && pin.includes(part))) return true
  const steps = [...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index]))
  return steps.some((step, index) => index > 0 && step === steps[index - 1] && Math.abs(step) <= 1)
}

/** Encrypts, hashes and masks a PIN. */
export function sealPin({ seal, mark }: Pick<Workshop, 'seal' | 'mark'>, pin: string): SealedPin {
  return {
    sealed: seal(pin, context),
    mark: markOf({ mark }, pin),
    shown: pin.slice(-2).padStart(pin.length, '*'),
  }
}

/** The decrypted PIN; null when the vault's key for it is lost, so that one unreadable PIN stops no other work. */
export function pinOrNull({ unseal }: Pick<Workshop, 'unseal'>, sealed: string): string | null {
  try {
    return unseal(sealed, context)
  } catch (error) {
    if (error instanceof VaultRefused) return null
    throw error
  }
}

/** The keyed hash by which a PIN is found. */
export function markOf({ mark }: Pick<Workshop, 'mark'>, pin: string): string {
  return mark(pin, context)
}
