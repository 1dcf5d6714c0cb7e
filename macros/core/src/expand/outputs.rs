//! `#[derive(Outputs)]`: the ports, and their encoding in order.

use proc_macro2::TokenStream;
use quote::quote;

use super::{field, sealed};
use crate::model::Outputs;

/// The `impl` of outputs.
pub(crate) fn outputs(model: &Outputs) -> TokenStream {
    let Outputs { krate, ident, fields } = model;
    let descriptors = fields.iter().map(|field| field::field(field, "output"));
    let idents = fields.iter().map(|field| &field.ident);
    let reply = if fields.is_empty() { quote!(_) } else { quote!(reply) };
    sealed(
        krate,
        quote! {
            #[automatically_derived]
            impl __rt::Outputs for #ident {
                const PORTS: &'static [__rt::FieldDecl] = &[#(#descriptors,)*];
                fn encode(self, #reply: &mut __rt::Reply) -> __rt::Result<(), __rt::Error> {
                    #(reply.put(&self.#idents)?;)*
                    __rt::Ok(())
                }
            }
        },
    )
}
