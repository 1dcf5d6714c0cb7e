use nodecast_live::prelude::*;

fn main() {
    let g = Graph::new();
    let price = signal(&g, 3);
    std::thread::spawn(move || price.set(4));
}
