import { plural } from '../../../lib/language/format.ts'
import type { KioskRegistrationTexts } from '../texts.ts'

export const pt: KioskRegistrationTexts = {
  whose: (name, at, of) => `Registo de ${name}, pergunta ${at} de ${of}.`,
  dayInDigits: 'Escreva oito algarismos: dia, mês e ano.',
  noSuchDay: 'Esse dia não existe. Verifique os algarismos, por favor.',
  chooseCountry: 'Escreva as primeiras letras e toque no país.',
  moreCountries: (count) =>
    plural(count, { one: 'Mais 1. Escreva mais letras.', other: `Mais ${count}. Escreva mais letras.` }),
  noCountry: 'Nenhum país começa assim. Apague algumas letras, por favor.',
  readRules: 'Leia as regras da casa e aceite-as, por favor.',
  up: 'Mais acima',
  down: 'Mais abaixo',
  accept: 'Aceito as regras da casa',
  sign: 'Assine no campo com um dedo, por favor.',
  notSigned: 'Isto é demasiado curto para uma assinatura. Assine outra vez, por favor.',
  cannotSign: 'Não posso assinar aqui',
  rulesChanged: 'As regras da casa acabam de mudar. Leia-as outra vez, por favor.',
}
