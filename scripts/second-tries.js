// Names the tests that passed only when they were tried again: each is a fault to be found, in the test or in Handrail.

export default class SecondTries {
  onTestRunEnd(modules) {
    const found = modules.flatMap((module) =>
      [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky === true),
    );
    if (found.length === 0) return;
    console.log(`Passed only when tried again (${found.length}):`);
    for (const test of found) {
      console.log(`  ${test.module.relativeModuleId} > ${test.fullName}`);
      for (const { message, diff } of test.result().errors ?? [])
        console.log([message, diff].filter(Boolean).join('\n'));
    }
  }
}
