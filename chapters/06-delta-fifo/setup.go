package main

import (
	"context"
	"fmt"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// tour is what a step begins with: both queues, a Reflector that feeds them, and somebody who writes.
type tour struct {
	*scenario.Writer
	delta, real *scenario.Side
	stop        func()
}

// begin makes objects and has a Reflector feed both queues. Nobody has popped them yet.
func begin(ctx context.Context, l *lab.Lab, names ...string) (*tour, error) {
	w, err := scenario.NewWriter(ctx, l, names...)
	if err != nil {
		return nil, err
	}
	t := &tour{Writer: w, delta: scenario.NewDelta(fifo.Parts{}), real: scenario.NewReal(fifo.Parts{})}
	// RealFIFO first, which never waits: so it does not wait for the other one either.
	w.Saw = scenario.NewFeed(l, t.real, t.delta)
	t.stop, err = w.Saw.Reflect(ctx, w.On)
	return t, err
}

// beginAfterList is begin, and both consumers have processed the list.
func beginAfterList(ctx context.Context, l *lab.Lab, names ...string) (*tour, error) {
	t, err := begin(ctx, l, names...)
	if err != nil {
		return nil, err
	}
	if err := t.Saw.CatchUp(); err != nil {
		t.stop()
		return nil, err
	}
	l.Became("both consumers have %s; nobody pops for now", t.real.Names())
	return t, nil
}

// show pops both queues until they are empty, and lines up what came out.
func show(l *lab.Lab, delta, real *scenario.Side) error {
	left, err := delta.Drain(delta.Process)
	if err != nil {
		return err
	}
	right, err := real.Drain(real.Process)
	if err != nil {
		return err
	}
	beside(l, left, right)
	return nil
}

// beside lines up what came out of the two queues. The cells are padded, since a table's columns end at the right.
func beside(l *lab.Lab, left, right []string) {
	rows := [][]string{{"pop", "DeltaFIFO", "RealFIFO"}}
	for i := range max(len(left), len(right)) {
		row := []string{fmt.Sprint(i + 1), "", ""}
		if i < len(left) {
			row[1] = left[i]
		}
		if i < len(right) {
			row[2] = right[i]
		}
		rows = append(rows, row)
	}
	for column := 1; column <= 2; column++ {
		width := 0
		for _, row := range rows {
			width = max(width, len(row[column]))
		}
		for _, row := range rows {
			row[column] = fmt.Sprintf("%-*s", width, row[column])
		}
	}
	l.Table(rows...)
}
