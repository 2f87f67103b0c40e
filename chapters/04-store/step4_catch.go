package main

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store/mutation"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// catch is step 4: three that read, one that writes, and a detector.
func catch(_ context.Context, l *lab.Lab) error {
	detector := &mutation.Detector{Name: "configmaps"}
	s := detector.Guard(store.New(cache.MetaNamespaceKeyFunc, indexers()))
	if err := s.Replace(menuAndPrices(), "2"); err != nil {
		return err
	}
	l.Sent("audit: List()")
	audit(s)
	l.Became("the detector compares: %d objects have changed", len(detector.Check()))
	l.Sent("billing: ByIndex(team, red)")
	billing(s)
	l.Sent("handOver: GetByKey(shop/menu), and team becomes blue in what came back")
	handOver(s)
	// What the next two lines ask is no part of the program that is watched.
	l.Became("index: red has %s; blue has %s", inTeam(s.Indexer, "red"), inTeam(s.Indexer, "blue"))
	for _, m := range detector.Check() {
		for line := range strings.Lines(m.String()) {
			l.Wire("%s", strings.TrimRight(line, "\n"))
		}
	}
	l.Conclude("Three call sites received the object, two of them since the last comparison. One wrote, and a pointer does " +
		"not say who writes through it.")
	return nil
}

func menuAndPrices() []any {
	return []any{
		configMap("shop", "menu", "1", map[string]string{"team": "red"}),
		configMap("shop", "prices", "2", map[string]string{"team": "red"}),
	}
}

// audit, billing and handOver are three parts of one program.
func audit(s cache.Indexer) int { return len(s.List()) }

func billing(s cache.Indexer) int {
	objects, err := s.ByIndex(teamIndex, "red")
	if err != nil {
		return 0
	}
	return len(objects)
}

func handOver(s cache.Indexer) {
	object, exists, err := s.GetByKey("shop/menu")
	if err == nil && exists {
		object.(*corev1.ConfigMap).Labels["team"] = "blue" // what the store and everybody else have, too
	}
}
