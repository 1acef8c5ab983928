import type { RegistrationSetupTexts } from '../texts.ts'

export default {
  title: 'Meldung der Gäste',
  why: 'Wo das Gesetz eine Meldung der Gäste verlangt: Wählen Sie, was jeder Gast vor dem Einchecken angibt. Ohne Angaben wird kein Gast gemeldet.',
  fields: 'Jeder Gast gibt an',
  name: 'Name',
  address: 'Anschrift',
  rules: 'Zustimmung zur Hausordnung',
  days: 'So viele Tage nach der Abreise werden Meldungen aufbewahrt',
  daysHint: 'Danach werden sie gelöscht. Wie lange, sagt das Gesetz Ihres Landes.',
  houseRules: (language) => `Hausordnung, ${language}`,
  houseRulesHint:
    'Gäste lesen sie in ihrer Sprache und stimmen ihr zu, sonst in der ersten, in der sie geschrieben ist. Nach einer Änderung werden die nächsten Gäste wieder gefragt.',
} satisfies RegistrationSetupTexts
