import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resources } from '../../src/composition/api.ts'
import type { Field } from '../../src/resource/field.ts'
import { isReadOnly, text } from '../../src/resource/fields.ts'
import { erasedAttributes, isPersonal } from '../../src/resource/personal.ts'

/** What a person or a program can write into a resource: also the text of a receipt, or a name. */
const holdsAnything = ({ kind, shown, form, to, schema, options }: Field) =>
  !isReadOnly(options) &&
  kind !== 'parts' &&
  to === undefined &&
  !schema.enum &&
  (shown === 'json' || form === 'text')

const ofPerson = new Set(['profile', 'stay', 'reservation'])

/** The resources that are about a person, or refer to what a person has booked. */
const aboutPersons = [...resources.values()].filter(
  ({ type, fields }) =>
    ofPerson.has(type) ||
    Object.values(fields).some(
      ({ to, options }) => to !== undefined && ofPerson.has(to) && !options.computed,
    ),
)

describe('personal fields', () => {
  it('are declared by every resource that is about a person', () => {
    const names = aboutPersons.map(({ type }) => type)
    for (const each of ['profile', 'stay', 'reservation', 'key', 'payment'])
      assert.ok(names.includes(each), each)
    const silent = aboutPersons.flatMap(({ type, fields }) =>
      Object.entries(fields)
        .filter(([, field]) => holdsAnything(field))
        .filter(([, { options }]) => options.personal === undefined)
        .map(([name]) => `${type}.${name}`),
    )
    assert.deepEqual(
      silent,
      [],
      'declare personal: true, so that erasing a guest empties it, or personal: false',
    )
  })

  it('of a profile are all that a person can write but its type', () => {
    const { fields } = resources.get('profile')!
    const kept = Object.keys(fields).filter(
      (name) => !isReadOnly(fields[name]!.options) && !fields[name]!.options.personal,
    )
    assert.deepEqual(kept, ['profileType'])
  })

  it('are in no event, and neither is what only some readers may see', () => {
    const traced = [...resources.values()].flatMap(({ type, fields }) =>
      Object.entries(fields).flatMap(([name, field]) =>
        field.options.traced ? [{ type, name, field }] : [],
      ),
    )
    assert.ok(traced.length > 0)
    for (const { type, name, field } of traced) {
      const { personal, scope, hidden } = field.options
      const isForAll = !personal && !scope && !hidden && !holdsAnything(field) && field.shown !== 'sealed'
      assert.ok(isForAll, `${type}.${name} is traced`)
    }
  })

  it('can be written by the command that erases: a required one has a value of its own', () => {
    for (const { type, fields } of aboutPersons)
      for (const [name, { options }] of Object.entries(fields))
        if (options.personal && options.required)
          assert.notEqual(options.erased ?? null, null, `${type}.${name}`)
  })

  it('are emptied, or get the value of an erased person; others are left alone', () => {
    const of = {
      fields: {
        name: text({ personal: true, required: true, erased: 'Erased' }),
        plate: text({ personal: true }),
        colour: text({ personal: false }),
        shape: text(),
      },
    }
    assert.deepEqual(erasedAttributes(of), { name: 'Erased', plate: null })
    assert.ok(isPersonal(of, { plate: 'XY-1' }))
    assert.ok(!isPersonal(of, { plate: null, colour: 'red', shape: 'round' }))
  })
})
