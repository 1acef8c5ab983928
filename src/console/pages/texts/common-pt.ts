import type { CommonTexts } from '../lib/language/common-texts.ts'

export const pt: CommonTexts = {
  tryAgain: 'Tentar de novo',
  close: 'Fechar',
  cancel: 'Cancelar',
  loading: 'A carregar',
  otherTime: (here, box) =>
    `Este computador mostra ${here}; o equipamento, ${box}. Um dos dois está errado. Os cartões seguem o relógio do equipamento.`,
  noLineTitle: 'Sem ligação à caixa',
  noLine: 'Esta página não chega à caixa. O que vê pode ser antigo. A página continua a tentar.',
  badAnswerTitle: 'A resposta não pode ser lida',
  badAnswer:
    'Esta página recebeu algo que não é uma resposta da caixa, por isso não se sabe se isto foi feito. Verifique antes de repetir. Se continuar assim, verifique o que está entre este computador e a caixa, por exemplo um proxy.',
  brokenTitle: 'Esta página tem uma falha',
  brokenText:
    'Uma parte desta página não pôde ser mostrada ou não funcionou. Verifique se a sua última ação foi feita antes de a repetir. A página tenta de novo.',
  toStart: 'Voltar ao primeiro ecrã',
  loadAgain: 'Carregar a página de novo',
  needsLine: 'Não sem ligação à caixa',
  isHeld: 'Outra ação ainda está em curso',
  asOf: (time) => `Dados de ${time}`,
  language: 'Língua',
  wasLockedTitle: 'O posto estava bloqueado',
  wasLocked: 'Foi bloqueado antes de isto terminar. Faça-o de novo.',
  system: 'Configuração, cópias e estado da caixa',
  networkTrouble: 'A caixa está a arrancar. Esta página continua a tentar.',
}
