import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { goTo } from '../../lib/controls/route.ts'
import { dateText } from '../../lib/language/format.ts'
import { ApiError, type Resource } from '../../lib/server/api.ts'
import type { Stay, Unit } from '../../lib/server/resources.ts'
import { freeUnits, isReady } from '../stay/free-units.ts'
import { readStay, writeStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork, type Work, workProblem } from '../stay/use-work.ts'
import { t } from './texts.ts'

/** A guest in house whom a refused check-in names. */
interface Other {
  stayId: string
  guestName: string | null
  unitName: string
  since: string
  endDate: string
}

interface Options {
  stay: Resource<Stay>
  /** The work whose refusal may name guests in house. */
  work: Work
  /** Called when the room is free, or the stay has another one. */
  changed: () => void
}

/**
 * Shows the guests who are still in house in the room of a stay whose check-in was refused, each with a check-out that is asked for
 * once more, and offers another clean room. Shows nothing for any other refusal.
 */
export function StillInHouse({ stay, work: { problem, clear }, changed }: Options): View | null {
  const inHouse = problem instanceof ApiError ? problem.meta.inHouse : null
  if (!Array.isArray(inHouse)) return null
  const others: Other[] = inHouse
  const done = () => {
    clear()
    changed()
  }
  return el.div(
    { class: 'stack' },
    others.map((other) => h(InHouse, { key: other.stayId, other, done })),
    h(OtherRoom, { stay, taken: others.map(({ unitName }) => unitName), done }),
  )
}

function InHouse({ other, done }: { other: Other; done: () => void }): View {
  const { stayId, unitName, since, endDate } = other
  const name = other.guestName ?? t.value.guest
  const [isAsked, setAsked] = useState(false)
  const work = useWork()
  async function checkOut(): Promise<void> {
    const { stay } = await readStay(stayId)
    await writeStay(stay, { status: 'CheckedOut' })
    done()
  }
  return notice(
    'warning',
    t.value.inHouse(name, unitName, dateText(since), dateText(endDate)),
    isAsked && el.p(null, t.value.hasLeft(name, unitName)),
    workProblem(work, { status: 'CheckedOut' }, () => void work.run(checkOut)),
    el.p(
      { class: 'row' },
      isAsked
        ? button(t.value.yesCheckOut(name), {
            onClick: () => void work.run(checkOut),
            icon: 'out',
            isBusy: work.isBusy,
            isWriting: true,
          })
        : button(t.value.checkOut(name), { onClick: () => setAsked(true), icon: 'out' }),
      button(g.value.openSheet, {
        onClick: () => goTo('stay', [stayId]),
        icon: 'person',
        name: `${g.value.openSheet}: ${name}`,
      }),
    ),
  )
}

/** Gives the stay a clean free room in place of the taken one. */
function OtherRoom({
  stay,
  taken,
  done,
}: {
  stay: Resource<Stay>
  taken: readonly string[]
  done: () => void
}) {
  const work = useWork()
  const [isNone, setNone] = useState(false)
  async function assign(): Promise<void> {
    const { stay: now } = await readStay(stay.id)
    const free = (await freeUnits(now)).filter((each) => isReady(each) && !isIn(now, each))
    const units = now.attributes.units.map((place) => {
      if (!taken.includes(place.unitName ?? '')) return place
      const at = free.findIndex(({ attributes }) => attributes.unitTypeId === place.unitTypeId)
      const [other] = at < 0 ? [] : free.splice(at, 1)
      return other ? { ...place, unitId: other.id, unitName: other.attributes.name } : null
    })
    if (!units.every((place) => place !== null)) return setNone(true)
    await writeStay(now, { units })
    done()
  }
  return el.div(
    { class: 'stack' },
    isNone && notice('info', g.value.noFreeRoom),
    workProblem(work, {}, () => {}),
    button(t.value.otherRoom, { onClick: () => void work.run(assign), icon: 'door', isBusy: work.isBusy }),
  )
}

const isIn = ({ attributes: { units } }: Resource<Stay>, { id }: Resource<Unit>) =>
  units.some(({ unitId }) => unitId === id)
