package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// object is an object as JSON has it.
type object = map[string]any

// count is step 1: two ConfigMaps are written and listed, and the mechanism adds up what they hold. ⟨to be written⟩
func (t *tour) count(ctx context.Context, l *lab.Lab) error {
	client := l.Aloud(l.HTTPClient()) // what it sends shows itself
	for i, name := range []string{"black", "green"} {
		body := object{"metadata": object{"name": name}, "data": object{"cups": strconv.Itoa(i + 1)}}
		if _, err := lab.MustSendJSON(ctx, client, http.MethodPost, configMaps(l), body); err != nil {
			return err
		}
	}
	own := "?fieldSelector=" + url.QueryEscape(lab.OwnConfigMaps)
	answer, err := lab.MustSendJSON(ctx, client, http.MethodGet, configMaps(l)+own, nil)
	if err != nil {
		return err
	}
	numbers, err := cups(answer)
	if err != nil {
		return err
	}
	l.Wire("%d objects", len(numbers))
	t.sum = workqueue.Sum(numbers)
	l.Became("the sum is %d", t.sum)
	l.Conclude("⟨to be written⟩ what follows from it.")
	return nil
}

// cups reads the numbers out of a list.
func cups(list []byte) (numbers []int, err error) {
	var read struct {
		Items []struct{ Data struct{ Cups string } }
	}
	if err := json.Unmarshal(list, &read); err != nil {
		return nil, fmt.Errorf("the list of ConfigMaps: %w", err)
	}
	for _, item := range read.Items {
		n, err := strconv.Atoi(item.Data.Cups)
		if err != nil {
			return nil, fmt.Errorf("a number of cups: %w", err)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}
