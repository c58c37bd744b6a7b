//! An order's invoice as a page to print. It has no script and loads nothing. All text that users wrote is
//! escaped.

use std::fmt::{self, Display, Write};

use tiffin_chassis::mail::escape;
use tiffin_events::Money;
use time::{OffsetDateTime, macros::format_description};

use crate::{
    payment::{Payment, Status},
    refund::{self, Refund, RefundState},
};

#[cfg(test)]
mod tests;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;color:#1c1c1c;max-width:46rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.6rem;margin:0}header,.parties{display:flex;justify-content:space-between;gap:2rem}\
.parties{margin:1.5rem 0}h2{font-size:.8rem;text-transform:uppercase;color:#666;margin:0}p{margin:0}\
table{width:100%;border-collapse:collapse;margin:1.5rem 0}th,td{text-align:left;padding:.5rem;border-bottom:1px solid #ccc}\
.n{text-align:right;font-variant-numeric:tabular-nums}tfoot td{font-weight:600;border:0}\
@media print{body{margin:0;max-width:none}}";

/// The content of an invoice.
#[derive(Clone, Debug)]
pub struct Invoice {
    pub code: String,
    pub placed_at: OffsetDateTime,
    pub cancelled: bool,
    /// Name, e-mail and address, as far as they are known.
    pub customer: Vec<String>,
    /// Name, address and phone, as far as they are known.
    pub restaurant: Vec<String>,
    pub item_name: String,
    pub quantity: i32,
    /// The price of one dish.
    pub price: Money,
    /// The price of all dishes.
    pub total: Money,
    /// True if its whole checkout is paid.
    pub is_paid: bool,
    /// The amount left to pay of its checkout; `None` for readers who must not know its other orders.
    pub due: Option<Money>,
    /// Its payments that were not refused.
    pub payments: Vec<Payment>,
    /// Its refunds by the restaurant and administrators.
    pub refunds: Vec<(Refund, RefundState)>,
}

impl Invoice {
    /// The whole page.
    pub fn page(&self) -> String {
        let mut page = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut page);
        page
    }

    fn write(&self, page: &mut String) -> fmt::Result {
        let code = escape(&self.code);
        write!(
            page,
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\">\
             <title>Invoice {code}</title><style>{STYLE}</style></head><body>\
             <header><h1>Invoice</h1><p>Tiffin<br>{code}<br><time>{}</time></p></header>\
             <section class=\"parties\">",
            UtcTime(self.placed_at)
        )?;
        party(page, "From", &self.restaurant)?;
        party(page, "To", &self.customer)?;
        write!(
            page,
            "</section><table><thead><tr><th>Item</th><th class=\"n\">Quantity</th>\
             <th class=\"n\">Price</th><th class=\"n\">Total</th></tr></thead>\
             <tbody><tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr></tbody>\
             <tfoot><tr><td colspan=\"3\">Total</td><td class=\"n\">{}</td></tr></tfoot></table>",
            escape(&self.item_name),
            self.quantity,
            self.price,
            self.total,
            self.total,
        )?;
        self.write_payment(page)?;
        page.write_str("</body></html>")
    }

    fn write_payment(&self, page: &mut String) -> fmt::Result {
        page.write_str("<section><h2>Payment</h2>")?;
        if self.cancelled {
            page.write_str("<p>This order was cancelled.</p>")?;
        } else if self.is_paid {
            write!(page, "<p>Paid: {}", self.total)?;
            if self.payments.is_empty() {
                page.write_str(", with the other orders of its checkout")?;
            }
            page.write_str("</p>")?;
        } else {
            page.write_str("<p>Not paid.</p>")?;
            if let Some(due) = self.due.filter(|due| *due > Money::ZERO) {
                write!(page, "<p>{due} of its checkout is left to pay.</p>")?;
            }
        }
        self.write_refunds(page)?;
        for payment in &self.payments {
            self.write_one(page, payment)?;
        }
        page.write_str("</section>")
    }

    /// Writes the refunds by people, and what the order costs after them.
    fn write_refunds(&self, page: &mut String) -> fmt::Result {
        for (refund, state) in &self.refunds {
            let state = match state {
                RefundState::Refunded => "Refund",
                RefundState::UnderWay | RefundState::Delayed => "Refund under way",
            };
            write!(page, "<p>{state}: {}", refund.amount)?;
            if let Some(words) = refund::words(refund.reason) {
                write!(page, ", {words}")?;
            }
            write!(page, ", <time>{}</time></p>", UtcTime(refund.created_at))?;
        }
        if !self.refunds.is_empty() && !self.cancelled {
            let refunded: Money = self.refunds.iter().map(|(it, _)| it.amount).sum();
            let left = self.total.cents() - refunded.cents();
            write!(
                page,
                "<p>Price after refunds: {}</p>",
                Money::from_cents(left.max(0))
            )?;
        }
        Ok(())
    }

    fn write_one(&self, page: &mut String, payment: &Payment) -> fmt::Result {
        let state = match payment.status {
            Status::Pending => "Being processed",
            Status::Declined => "Refused",
            Status::Captured | Status::Refunding | Status::Refunded => "Received",
        };
        write!(page, "<p>{state}: {}", payment.amount)?;
        if payment.amount != self.total {
            page.write_str(", this order's share of its checkout")?;
        }
        write!(page, "</p><p>{}", payment.kind.as_str())?;
        if let Some(card) = &payment.card {
            let (brand, last4) = (escape(&card.brand), escape(&card.last4));
            write!(page, ", {brand} ending in {last4}")?;
        }
        write!(page, ", <time>{}</time></p>", UtcTime(payment.created_at))?;
        if payment.refunded > Money::ZERO {
            write!(page, "<p>Refunded: {}</p>", payment.refunded)?;
        }
        let underway = payment.to_refund.cents() - payment.refunded.cents();
        if underway > 0 {
            write!(
                page,
                "<p>Being refunded: {}</p>",
                Money::from_cents(underway)
            )?;
        }
        Ok(())
    }
}

/// Writes the customer or the restaurant, with one line for each text.
fn party(page: &mut String, title: &str, lines: &[String]) -> fmt::Result {
    let lines: Vec<String> = lines.iter().map(|line| escape(line)).collect();
    write!(
        page,
        "<div><h2>{title}</h2><p>{}</p></div>",
        lines.join("<br>")
    )
}

/// `21 November 2026, 09:05 UTC`.
struct UtcTime(OffsetDateTime);

impl Display for UtcTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape =
            format_description!("[day padding:none] [month repr:long] [year], [hour]:[minute] UTC");
        let text = self.0.to_offset(time::UtcOffset::UTC).format(shape);
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}
