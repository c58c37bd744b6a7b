import { Anchor, Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { inquiriesQuery } from '@/api/inquiries'
import { messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import classes from './contact.module.css'
import { InquiryEntry } from './InquiryEntry'
import { InquiryForm } from './InquiryForm'

/** The visitor's questions so far, and the answers. */
function OwnInquiries() {
  const t = useTexts()
  const { data, error, isPending, refetch } = useQuery(inquiriesQuery())
  return (
    <>
      {isPending && <Loading text={t('contact.loading')} />}
      {error !== null && <Failure message={messageOf(error, t('contact.loadFailed'))} retry={() => void refetch()} />}
      {data?.length === 0 && <Empty text={t('contact.noInquiries')} art="empty-list" hint={t('contact.noInquiriesHint')} />}
      {data !== undefined && data.length > 0 && (
        // Reached by keyboard, so that the arrow keys scroll it.
        <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('contact.yourInquiries')}>
          <ul className={classes.list}>
            {data.map((inquiry) => (
              <InquiryEntry key={inquiry._id} inquiry={inquiry} />
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** The form for a question to Tiffin, and the visitor's earlier questions. */
export function ContactPage() {
  const t = useTexts()
  const user = useSessionUser()
  return (
    <Page title={t('contact.title')} lead={t('contact.lead')}>
      <div className={classes.columns}>
        <Card component="section" withBorder padding="lg" className={classes.card} aria-label={t('contact.newInquiry')}>
          <InquiryForm />
        </Card>
        <Card component="section" withBorder padding="lg" className={classes.card}>
          <Stack gap="sm">
            <Title order={2}>{t('contact.yourInquiries')}</Title>
            {user?.emailVerified === true ? (
              <OwnInquiries />
            ) : (
              <Text c="dimmed">
                <Anchor component={Link} to={paths.login()} state={{ from: paths.contact() }}>
                  {t('contact.login')}
                </Anchor>{' '}
                {t('contact.toSeeYours')}
              </Text>
            )}
          </Stack>
        </Card>
      </div>
    </Page>
  )
}
