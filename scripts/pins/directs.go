package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/pins"
)

// showDirects prints each direct dependency, what is newer, and why it stays behind. Without a network it prints the
// pins alone: what is newer is news and no condition.
func showDirects(ctx context.Context, root string) error {
	list, err := pins.Directs(root)
	if err != nil {
		return err
	}
	asking, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	newest := pins.Newest(asking, root, list)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	printDirects(os.Stdout, list)
	if newest != nil {
		fmt.Printf("\nNewer versions are not shown: %v\n", newest)
	}
	return nil
}

func printDirects(w io.Writer, list []pins.Direct) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\ndirect dependency\tpinned\tnewest")
	for _, d := range list {
		newest := d.Newest
		if newest == "" {
			newest = "-"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", d.Path, d.Version, newest)
	}
	_ = table.Flush()
	for _, d := range list {
		if d.Newest != "" && d.Held != "" {
			fmt.Fprintf(w, "\n%s stays at %s: %s.\n", d.Path, d.Version, d.Held)
		}
	}
}
