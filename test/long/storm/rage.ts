import type { Answer } from './connection.ts'
import { type Deed, deeds } from './deeds.ts'
import type { Guest } from './guest.ts'

const sum = deeds.reduce((all, { weight }) => all + weight, 0)

function nextDeed({ random }: Guest): Deed {
  let left = random() * sum
  for (const deed of deeds) {
    left -= deed.weight
    if (left < 0) return deed
  }
  return deeds[0]!
}

/** Lets everybody do as he likes, all at once, until so many requests were made. Whoever fails to reach the house ends it. */
export async function rage(guests: readonly Guest[], requests: number): Promise<void> {
  let left = requests
  const live = async (guest: Guest) => {
    while (left > 0) {
      const deed = nextDeed(guest)
      const reply = await deed.act(guest)
      if (reply === null) continue
      left--
      note(guest, deed, reply)
    }
  }
  await Promise.all(guests.map(live))
}

function note({ ledger }: Guest, { name, answers }: Deed, { status, body, text }: Answer): void {
  const outcome = status < 400 ? String(status) : `${status} ${body?.errors?.[0]?.code}`
  const counted = `${name}: ${outcome}`
  ledger.outcomes.set(counted, (ledger.outcomes.get(counted) ?? 0) + 1)
  if (!answers.includes(outcome)) ledger.strange.push(`${counted} ${text.slice(0, 600)}`)
}
