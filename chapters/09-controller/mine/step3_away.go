package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// away is step 3: much happens between two controllers.
func (r *run) away(ctx context.Context, l *lab.Lab) error {
	if err := r.stop(); err != nil {
		return err
	}
	l.Became("your controller has stopped")
	err := first(
		r.world.Delete(ctx, "home", "menu"),
		r.world.Source(ctx, "teas", "mint"),
		r.world.Asks(ctx, "south", false),
		r.start(ctx),
	)
	if err != nil {
		return err
	}
	l.Became("it has begun again")
	err = r.becomes(ctx, l, map[string]string{
		"north/menu": "nothing", "south/menu": "nothing",
		"north/rules": "a mirror of home/rules: no smoking", "south/rules": "nothing",
		"north/soups": "a mirror of home/soups: leek", "south/soups": "nothing",
		"north/teas": "a mirror of home/teas: mint",
	})
	if err != nil {
		return err
	}
	return r.stop()
}
