export function computation (_, context) {
  console.log('said by the way')
  console.error('complained %d times', 3)
  context.logs.warn('with attributes', { shelf: 7, component: 'somebody.else' })

  return 'said'
}
