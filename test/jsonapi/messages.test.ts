import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { faults } from '../../src/devices/fault.ts'
import { languages } from '../../src/jsonapi/locales/language.ts'
import { failureMessage, messages, messageText } from '../../src/jsonapi/locales/message.ts'
import { titlesIn } from '../../src/jsonapi/locales/title.ts'
import { remedyOf } from '../../src/store/disk/disk-trouble.ts'

const root = `${import.meta.dirname}/../..`
const parametersOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

describe('the catalogue of messages', () => {
  it('has each message in every language, with the same values', () => {
    for (const [code, texts] of Object.entries(messages())) {
      assert.deepEqual(Object.keys(texts).sort(), [...languages].sort(), code)
      for (const text of Object.values(texts)) {
        assert.notEqual(text, '', code)
        assert.deepEqual(parametersOf(text), parametersOf(texts.en), `${code}: ${text}`)
      }
    }
  })

  // Pages show these messages to people, who cannot send a request.
  it('names pages and commands, and no request of the API', () => {
    for (const [code, texts] of Object.entries(messages()))
      for (const text of Object.values(texts))
        assert.doesNotMatch(text, /\/api\/|\b(GET|POST|PUT|PATCH|DELETE)\b/, code)
  })

  it('names no action, list, scope or column of the API, and calls a room a room', () => {
    const named = /actions\/|seen-at-door|to-check|keys\.override|initialize\b|\bunits\b/
    // Not the names of the values, which stand in braces.
    for (const [code, { en, ...others }] of Object.entries(messages()))
      for (const text of [en, ...Object.values(others)])
        assert.doesNotMatch(text.replaceAll(/\{\w+\}/g, ''), named, code)
  })

  it('leads a person in the browser to a page where a page does the same as a command', () => {
    for (const [code, texts] of Object.entries(messages()))
      for (const text of Object.values(texts))
        assert.doesNotMatch(text, /nightporter (backup key|clock|sync)/, code)
  })

  it('says of each command that works on a data folder how that is given', () => {
    for (const [code, texts] of Object.entries(messages()))
      for (const text of Object.values(texts))
        assert.doesNotMatch(text, /nightporter (backup|restore)(?![^"]* --data )/, code)
  })

  it('has no message that nobody sends', () => {
    const code = globSync(
      [
        'src/{access,devices,events,pms,reservation,status,update}/**/*.ts',
        'src/jsonapi/{errors,locales/message}.ts',
      ],
      {
        cwd: root,
      },
    )
      .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
      .join('\n')
    const begins = [...code.matchAll(/`([\w-]+-)\$\{/g)].map(([, start = '']) => start)
    const unused = Object.keys(messages()).filter(
      (each) => !code.includes(`'${each}'`) && !begins.some((start) => each.startsWith(start)),
    )
    assert.deepEqual(unused, [])
  })

  it('says of the disk in English what the log says', () => {
    for (const is of ['full', 'read-only', 'failing', 'unreadable', 'damaged', 'hanging'] as const) {
      const trouble = { is, code: 'SQLITE_X' }
      assert.equal(messageText('en', { code: `disk-${is}` }), remedyOf(trouble))
    }
  })

  it('says of each failure of a device what happened, in every language', () => {
    for (const code of Object.keys(faults)) {
      const texts = languages.map((language) => messageText(language, failureMessage(code, 'it broke')))
      assert.equal(texts[0], 'it broke.')
      for (const [index, text] of texts.entries())
        if (index > 0) assert.equal(text, `${titlesIn(languages[index]!)[code]}.`)
    }
  })
})
