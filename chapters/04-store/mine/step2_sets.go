package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// ingredients asks the reader's index of sets after each change.
func (p pieces) ingredients(ctx context.Context, l *lab.Lab) error {
	k, err := p.open(ctx, l)
	if err != nil {
		return err
	}
	defer k.stop()
	for _, c := range changes {
		if err := k.write(ctx, c.verb, c.recipe.DeepCopy()); err != nil {
			return err
		}
		expected, err := k.neededBy(ctx)
		if err != nil {
			return err
		}
		yours := map[string][]string{}
		for _, ingredient := range k.ListIndexFuncValues(ingredientIndex) {
			keys, err := k.IndexKeys(ingredientIndex, ingredient)
			if err != nil {
				return err
			}
			yours[ingredient] = withoutNamespace(keys)
		}
		l.Became("%s", inOrder(yours))
		if inOrder(yours) != inOrder(expected) {
			return fmt.Errorf("by the API server's objects it is: %s\n%s", inOrder(expected), seeGrader("04.2"))
		}
	}
	l.Conclude("After each change, your index has what the server's objects say, and no ingredient that nobody needs.")
	return nil
}

// neededBy says which recipes need an ingredient, by the API server's objects.
func (k *kitchen) neededBy(ctx context.Context) (map[string][]string, error) {
	needed := map[string][]string{}
	onServer, err := k.onServer(ctx)
	if err != nil {
		return nil, err
	}
	for _, recipe := range onServer {
		for ingredient := range recipe.Data {
			needed[ingredient] = append(needed[ingredient], recipe.Name)
		}
	}
	return needed, nil
}

func withoutNamespace(keys []string) (names []string) {
	for _, key := range keys {
		_, name, _ := strings.Cut(key, "/")
		names = append(names, name)
	}
	return names
}

// inOrder is an index as text: "flour: bread, cake; salt: bread".
func inOrder(byIngredient map[string][]string) string {
	var all []string
	for ingredient, recipes := range byIngredient {
		all = append(all, ingredient+": "+strings.Join(slices.Sorted(slices.Values(recipes)), ", "))
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}
