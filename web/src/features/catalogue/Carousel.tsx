import { ActionIcon, Group } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'

import classes from './Carousel.module.css'

/** The time that a picture stays, in milliseconds. */
const STAY = 3000

interface Props {
  images: string[]
  label: string
}

/** Shows one picture after the other, until the visitor picks one. */
export function Carousel({ images, label }: Props) {
  const t = useTexts()
  const still = useReducedMotion(undefined, { getInitialValueInEffect: false })
  const [paused, setPaused] = useState(false)
  const [held, setHeld] = useState(false)
  const [at, setAt] = useState(0)
  const count = images.length
  const running = count > 1 && !paused && !held && !still

  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => {
      setAt((shown) => (shown + 1) % count)
    }, STAY)
    return () => {
      clearInterval(timer)
    }
  }, [running, count])

  const hold = () => {
    setHeld(true)
  }
  const release = () => {
    setHeld(false)
  }
  return (
    <section
      className={classes.carousel}
      aria-roledescription={t('catalogue.carousel')}
      aria-label={label}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Picture
        src={images[at]}
        alt={count > 1 ? t('catalogue.pictureOf', { name: label, number: at + 1, count }) : label}
        kind="restaurant"
        width={1100}
        height={440}
        fluid
        eager
      />
      {count > 1 && (
        <Group className={classes.controls} gap={8}>
          {images.map((image, index) => (
            <button
              key={image}
              type="button"
              className={classes.dot}
              aria-label={t('catalogue.picture', { number: index + 1 })}
              aria-current={index === at}
              onClick={() => {
                setAt(index)
              }}
            />
          ))}
          {!still && (
            <ActionIcon
              size="md"
              variant="default"
              aria-label={paused ? t('catalogue.playPictures') : t('catalogue.pausePictures')}
              onClick={() => {
                setPaused(!paused)
              }}
            >
              {paused ? <IconPlayerPlayFilled size={14} /> : <IconPlayerPauseFilled size={14} />}
            </ActionIcon>
          )}
        </Group>
      )}
    </section>
  )
}
