// Command 04-store ⟨to be written⟩
package main

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"

func main() { lab.Main(demo()) }

// demo is the table of contents.
func demo() lab.Demo { return lab.Demo{Chapter: "04-store", Title: "⟨to be written⟩"} }
