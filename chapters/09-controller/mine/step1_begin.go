package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// begin is step 1: the controller makes what is missing.
func (r *run) begin(ctx context.Context, l *lab.Lab) (err error) {
	for _, one := range r.yours.each() {
		if *one.Yours {
			l.Say("%s: %s", one.exercise(), one.what)
		}
	}
	if text := r.yours.standsIn(); text != "" {
		l.Say("%s", text)
	}
	if r.world, err = scenario.NewWorld(ctx, l, []string{"north", "south"}); err != nil {
		return err
	}
	err = first(
		r.world.Source(ctx, "menu", "soup"),
		r.world.Source(ctx, "rules", "no smoking"),
		r.start(ctx),
	)
	if err != nil {
		return err
	}
	return r.becomes(ctx, l, map[string]string{
		"north/menu": "a mirror of home/menu: soup", "south/menu": "a mirror of home/menu: soup",
		"north/rules": "a mirror of home/rules: no smoking", "south/rules": "a mirror of home/rules: no smoking",
	})
}
