//! Several questions in one round.

use serde_json::Value as Json;

use super::Ask;
use crate::Error;
use crate::call::Question;

impl<A: Ask> Ask for Option<A> {
    type Answer = Option<A::Answer>;

    fn questions(&self, into: &mut Vec<Question>) -> Result<(), Error> {
        self.iter().try_for_each(|ask| ask.questions(into))
    }

    fn read(self, results: &mut dyn Iterator<Item = Json>) -> Result<Self::Answer, Error> {
        self.map(|ask| ask.read(results)).transpose()
    }
}

impl<T: Ask> Ask for Vec<T> {
    type Answer = Vec<T::Answer>;

    fn questions(&self, into: &mut Vec<Question>) -> Result<(), Error> {
        self.iter().try_for_each(|ask| ask.questions(into))
    }

    fn read(self, results: &mut dyn Iterator<Item = Json>) -> Result<Self::Answer, Error> {
        self.into_iter().map(|ask| ask.read(results)).collect()
    }
}

macro_rules! tuple {
    ($($ask:ident)+) => {
        impl<$($ask: Ask),+> Ask for ($($ask,)+) {
            type Answer = ($($ask::Answer,)+);

            #[allow(non_snake_case, reason = "the names of the type parameters are those of the parts")]
            fn questions(&self, into: &mut Vec<Question>) -> Result<(), Error> {
                let ($($ask,)+) = self;
                $($ask.questions(into)?;)+
                Ok(())
            }

            #[allow(non_snake_case, reason = "as above")]
            fn read(self, results: &mut dyn Iterator<Item = Json>) -> Result<Self::Answer, Error> {
                let ($($ask,)+) = self;
                Ok(($($ask.read(results)?,)+))
            }
        }
    };
}

tuple!(A);
tuple!(A B);
tuple!(A B C);
tuple!(A B C D);
tuple!(A B C D E);
tuple!(A B C D E F);
