//! `#[derive(Outputs)]`: the ports, and their encoding in order.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Uses, field, sealed};
use crate::check::types::Direction;
use crate::model::Outputs;

/// The `impl` of outputs.
pub(crate) fn outputs(model: &Outputs) -> TokenStream {
    let Outputs { krate, ident, deprecated, fields } = model;
    let descriptors = fields.iter().map(|field| field::field(field, Direction::Output));
    let puts = fields.iter().map(|field| {
        let (cfgs, ident, read) = (&field.cfgs, &field.ident, field::read(field, Direction::Output));
        quote!(#cfgs (#read.put)(reply, &self.#ident)?;)
    });
    let reply = if fields.is_empty() { quote!(_) } else { quote!(reply) };
    let checks = field::checks(fields, &quote!(<#ident as __rt::Outputs>::PORTS));
    sealed(
        krate,
        Uses::of(fields, deprecated.as_ref()),
        quote! {
            #[automatically_derived]
            impl __rt::Outputs for #ident {
                const PORTS: &'static [__rt::FieldDecl] = &[#(#descriptors,)*];
                fn encode(self, #reply: &mut __rt::Reply) -> __rt::Result<(), __rt::Error> {
                    #(#puts)*
                    __rt::Ok(())
                }
            }
            #checks
        },
    )
}
