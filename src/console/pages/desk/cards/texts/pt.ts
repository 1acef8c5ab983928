import { plural } from '../../../lib/language/format.ts'
import type { CardTexts } from '../texts.ts'

export const pt: CardTexts = {
  making: (place) => `Cartão em ${place}`,
  makingFor: (place, room) => `Cartão em ${place}, Quarto ${room}`,
  cardAt: 'Cartão em',
  notReady: 'não está pronto',
  noEncoder: 'Não há codificador nem dispensador.',
  makingPin: (place) => `PIN de ${place}`,
  place: 'Ponha um cartão no codificador',
  fed: 'Cartão introduzido',
  written: 'Escrito',
  compared: 'Relido e comparado',
  take: 'Retire o cartão',
  waiting: 'A caixa não responde. A página pergunta por este mesmo cartão. Não faça outro.',
  inHand: 'Na mão',
  inHandWhy: 'O cartão foi lido de novo, está correto e foi entregue.',
  machine: 'O que a máquina diz',
  help: {
    'dispenser-jam': 'Abra a máquina, tire o cartão e feche-a. Depois faça o cartão outra vez.',
    'dispenser-empty': 'Ponha cartões e indique-o em Dispositivos. Depois faça o cartão outra vez.',
    'dispenser-bin-full': 'Esvazie a caixa e indique-o em Dispositivos. Depois faça o cartão outra vez.',
    'dispenser-offline': 'Verifique a corrente e o cabo da máquina. Ela liga-se sozinha.',
    'encoder-offline': 'Verifique o cabo do codificador. Ele liga-se sozinho.',
  } as Record<string, string>,
  healed: (place) => `${place} funciona de novo. Faça o cartão outra vez.`,
  helpElse: 'Em Dispositivos diz-se o que fazer.',
  pin: 'PIN',
  notMade: 'Não feito',
  notKnown: 'Não se sabe',
  notKnownWhy:
    'Veja antes de repetir: o cartão pode estar bom. A caixa pode apurá-lo. Não faz um segundo cartão enquanto o primeiro estiver bom.',
  makeSure: 'Apurar',
  again: 'Fazer de novo',
  override: 'Fazer o cartão mesmo assim',
  overrideTitle: (room) => `Fazer o cartão do quarto ${room} mesmo assim?`,
  overrideWhy:
    'Assim que este cartão tiver aberto a porta, os cartões de outro hóspede podem não abrir nada. Faça-o só se souber porque o quarto é o certo.',
  overrideReason: 'Motivo',
  overrideHint:
    'Pelo menos três letras. Fica no registo com o seu nome: não escreva o nome de nenhum hóspede.',
  skip: (room) => `Continuar com o cartão do quarto ${room}`,
  layNext: 'Retire o cartão do codificador e coloque o seguinte.',
  nextCard: (room) => `Fazer o cartão do quarto ${room}`,
  done: 'Pronto',
  next: (count) =>
    plural(count, { one: 'Segue-se mais 1 cartão.', other: `Seguem-se mais ${count} cartões.` }),
  reasons: {
    captured: 'Ninguém retirou o cartão. A máquina tem-no de novo e a sua chave está bloqueada.',
    left: 'O cartão ficou na máquina. A sua chave está bloqueada.',
    failed: 'O cartão falhou e não é entregue.',
  },
  noReason: 'O cartão não foi entregue.',
  elsewhere: (name) => `Cartão para ${name}`,
  show: 'Ver',
}
