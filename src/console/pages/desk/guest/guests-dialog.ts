import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Dialog } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import type { Resource } from '../../lib/server/api.ts'
import { guestOf, nameInList, type Profile, type Stay } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { guestsOf, type ShownStay, type StayChange, withNames, writeStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { ChangedMeanwhile } from '../stay/write-over.ts'
import { nameFields, namesIn, type Persons, personFields } from '../walk-in/persons.ts'
import { EditName } from './edit-name.ts'

interface GuestsOptions {
  shown: ShownStay
  /** Called when a name was corrected. */
  changed: () => void
  onClose: () => void
}

/** The number of persons of a stay, and who they are: further guests are named, corrected and removed. */
export function Guests({ shown, changed, onClose }: GuestsOptions): View {
  const { stay } = shown
  const { personCount } = stay.attributes
  const [persons, setPersons] = useState<Persons>({
    adults: String(personCount.adults),
    children: String(personCount.children),
    others: [],
  })
  const [removed, setRemoved] = useState<readonly string[]>([])
  const [corrected, correct] = useState<Resource<Profile> | null>(null)
  const work = useWork()
  const change = (more: Partial<Persons>) => setPersons({ ...persons, ...more })
  const first = guestOf(stay, shown.included)
  const further = guestsOf(shown).filter(({ id }) => id !== first?.id && !removed.includes(id))
  const named = first ? [first, ...further] : further
  const added = namesIn(persons, named.length)
  const [adults, children] = [Number(persons.adults), Number(persons.children)]
  const hasCount = adults !== personCount.adults || children !== personCount.children
  const hasNames = removed.length > 0 || added.length > 0
  const wantedOver = (from: Resource<Stay>): StayChange => ({
    ...(hasCount && { personCount: { adults, children, infants: personCount.infants } }),
    ...(hasNames && {
      profiles: [
        ...from.attributes.profiles
          .filter(({ id }) => !removed.includes(id))
          .map(({ id, role }) => ({ id, role })),
        ...added,
      ],
    }),
  })
  const mine = wantedOver(stay)
  const save = (over = stay, wanted = mine) =>
    void work.run(async () => {
      if (hasCount || hasNames) await writeStay(over, wanted)
      onClose()
    })
  const { problem } = work
  const isOfNames = problem instanceof ChangedMeanwhile && problem.fields.includes('profiles')
  return h(
    Dialog,
    { title: g.value.guests, onClose },
    el.form(
      { class: 'stack', onSubmit: prevented(save) },
      el.div({ class: 'two' }, ...personFields(persons, change)),
      named.map((each) => {
        const remove = each === first ? null : () => setRemoved([...removed, each.id])
        return guestLine(each, () => correct(each), remove)
      }),
      ...nameFields(persons, named.length, change),
      workProblem(
        work,
        { ...mine, ...(mine.profiles && { profiles: withNames(mine.profiles, shown.included) }) },
        ({ fresh }) => save(fresh),
        isOfNames ? ({ fresh }) => save(fresh, wantedOver(fresh)) : undefined,
      ),
      button(g.value.save, { onClick: () => {}, type: 'submit', kind: 'main', isBusy: work.isBusy }),
    ),
    corrected &&
      h(EditName, {
        profile: corrected,
        onClose: () => {
          correct(null)
          changed()
        },
      }),
  )
}

function guestLine(guest: Resource<Profile>, edit: () => void, remove: (() => void) | null): View {
  const shown = nameInList(guest)
  const { editName, remove: removeText } = g.value
  return el.div(
    { key: guest.id, class: 'line' },
    el.span(null, shown),
    may('profiles.write') &&
      button(editName, { onClick: edit, icon: 'person', name: `${editName}: ${shown}` }),
    remove && button(removeText, { onClick: remove, icon: 'cross', name: `${removeText}: ${shown}` }),
  )
}
